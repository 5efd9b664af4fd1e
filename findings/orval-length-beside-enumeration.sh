#!/usr/bin/env bash
# orval 7: a schema with `minLength` beside `enum` becomes a zod schema that does not compile.
#
# One would guess: `{type: string, enum: [json, csv], minLength: 1}` is the enumeration; a length that all its values
# have adds nothing, and generators pass over it. drf-spectacular writes this pair for each choice in a query.
# What happens: orval writes the length first, `zod.min(1).enum([...])`, and zod has no function `min`. The file is made
# without a warning; TypeScript refuses it (TS2339).
# Version: orval 7.13.2 with zod 3.25.76 and TypeScript 5.9.3 (npm), run with Node.js 20.20; source: the file it makes.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
cat >package.json <<'JSON'
{ "private": true, "dependencies": { "orval": "7.13.2", "typescript": "5.9.3", "zod": "3.25.76" } }
JSON
npm install --silent --no-audit --no-fund --ignore-scripts
cat >api.json <<'JSON'
{
  "openapi": "3.1.0",
  "info": { "title": "Results", "version": "1" },
  "paths": {
    "/results": {
      "get": {
        "operationId": "results",
        "parameters": [
          { "name": "format", "in": "query", "schema": { "type": "string", "enum": ["json", "csv"], "minLength": 1 } }
        ],
        "responses": { "204": { "description": "Nothing." } }
      }
    }
  }
}
JSON
echo '{ "zod": { "input": "api.json", "output": { "target": "made.ts", "client": "zod" } } }' >orval.json
node_modules/.bin/orval --config orval.json >/dev/null
line=$(grep -n 'enum(' made.ts)
errors=$(node_modules/.bin/tsc --noEmit --strict --skipLibCheck --module node16 made.ts || true)
echo "orval 7.13.2 writes: $line"
echo "TypeScript 5.9.3 says: $errors"
grep -q 'zod\.min(1)\.enum(' <<<"$line"
grep -q TS2339 <<<"$errors"

#!/usr/bin/env bash
# kubb: the fetch client that it brings sends a JSON body as text/plain.
#
# One would guess: an operation whose request body is `application/json` is called with that Content-Type, as the
# description of the API demands.
# What happens: the generated function gives the client a body and no header, and the client passes a text to `fetch`,
# which then says `text/plain;charset=UTF-8`. A server that reads the Content-Type answers 415 to the first POST, while
# every GET works. With the header set by hand the same call is right.
# Version: @kubb/plugin-client 4.39.3 and its packages (npm), run with Node.js 20.20; source: the call it generates.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
cat >package.json <<'JSON'
{
  "private": true,
  "type": "module",
  "dependencies": {
    "@kubb/cli": "4.39.3",
    "@kubb/core": "4.39.3",
    "@kubb/plugin-client": "4.39.3",
    "@kubb/plugin-oas": "4.39.3",
    "@kubb/plugin-ts": "4.39.3",
    "tsx": "4.21.0"
  }
}
JSON
npm install --silent --no-audit --no-fund
cat >api.json <<'JSON'
{
  "openapi": "3.1.0",
  "info": { "title": "Games", "version": "1" },
  "paths": {
    "/games": {
      "post": {
        "operationId": "createGame",
        "requestBody": {
          "required": true,
          "content": {
            "application/json": {
              "schema": { "type": "object", "properties": { "players": { "type": "integer" } } }
            }
          }
        },
        "responses": {
          "200": { "description": "Done.", "content": { "application/json": { "schema": { "type": "object" } } } }
        }
      }
    }
  }
}
JSON
cat >kubb.config.js <<'JS'
import { defineConfig } from "@kubb/core";
import { pluginClient } from "@kubb/plugin-client";
import { pluginOas } from "@kubb/plugin-oas";
import { pluginTs } from "@kubb/plugin-ts";

export default defineConfig({
  root: ".",
  input: { path: "./api.json" },
  output: { path: "./made", clean: true },
  plugins: [pluginOas(), pluginTs(), pluginClient({ client: "fetch" })]
});
JS
node_modules/.bin/kubb generate >kubb.log 2>&1 || { cat kubb.log; exit 1; }
made=$(grep -rl 'function createGame' made | head -n 1)
cat >call.ts <<TS
import { createServer } from "node:http";
import { createGame } from "./$made";

const server = createServer((request, response) => {
  response.setHeader("Content-Type", "application/json");
  response.end(JSON.stringify({ type: request.headers["content-type"] }));
}).listen(0, "127.0.0.1", async () => {
  const baseURL = \`http://127.0.0.1:\${server.address().port}\`;
  const plain = await createGame({ players: 3 }, { baseURL });
  const named = await createGame({ players: 3 }, { baseURL, headers: { "Content-Type": "application/json" } });
  console.log(\`@kubb/plugin-client 4.39.3 sends \${plain.type}; with the header set \${named.type}\`);
  server.close();
});
TS
said=$(node_modules/.bin/tsx call.ts)
echo "$said"
[ "$said" = "@kubb/plugin-client 4.39.3 sends text/plain;charset=UTF-8; with the header set application/json" ]

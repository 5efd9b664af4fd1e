import * as api from "./made/hey-api";
import { createClient } from "./made/hey-api/client";
import { done, mark, table } from "./table";

done(async (baseUrl) => {
  const client = createClient({ baseUrl });
  const { data: opened } = await api.createGame({ client, body: table, throwOnError: true });
  const at = { client, auth: opened.keys.scorekeeper, path: { game_id: opened.id } };
  await api.record({ ...at, body: { action: mark, version: opened.version } });
  const { data: state } = await api.state(at);
  return state;
});

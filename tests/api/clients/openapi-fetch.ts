import createClient from "openapi-fetch";
import type { paths } from "./made/openapi-fetch";
import { done, mark, table } from "./table";

done(async (baseUrl) => {
  const client = createClient<paths>({ baseUrl });
  const { data: opened } = await client.POST("/api/v1/games/", { body: table });
  if (!opened) throw new Error("no table");
  const headers = { Authorization: `Bearer ${opened.keys.scorekeeper}` };
  const at = { params: { path: { game_id: opened.id } }, headers };
  await client.POST("/api/v1/games/{game_id}/actions/", { ...at, body: { action: mark, version: opened.version } });
  const { data: state } = await client.GET("/api/v1/games/{game_id}/", at);
  return state;
});

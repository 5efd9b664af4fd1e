import { createApiClient } from "./made/zodios";
import { done, mark, table } from "./table";

// Its answers are checked by zod.
done(async (baseUrl) => {
  const client = createApiClient(baseUrl);
  const opened = await client.create_game(table);
  const at = { params: { game_id: opened.id }, headers: { Authorization: `Bearer ${opened.keys.scorekeeper}` } };
  await client.record({ action: mark, version: opened.version }, at);
  return await client.state(at);
});

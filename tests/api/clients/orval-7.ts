import * as api from "./made/orval-7";
import { stateResponse } from "./made/orval-7-zod";
import { done, mark, table } from "./table";

done(async () => {
  const opened = await api.createGame(table);
  if (opened.status !== 201) throw new Error(`${opened.status}`);
  const headers = { Authorization: `Bearer ${opened.data.keys.scorekeeper}` };
  await api.record(opened.data.id, { action: mark, version: opened.data.version }, { headers });
  const { data } = await api.state(opened.data.id, { headers });
  return stateResponse.parse(data);
});

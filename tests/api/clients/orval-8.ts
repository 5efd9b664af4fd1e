import * as api from "./made/orval-8";
import { done, mark, table } from "./table";

done(async () => {
  const opened = await api.createGame(table);
  if (opened.status !== 201) throw new Error(`${opened.status}`);
  const headers = { Authorization: `Bearer ${opened.data.keys.scorekeeper}` };
  await api.record(opened.data.id, { action: mark, version: opened.data.version }, { headers });
  const { data: state } = await api.state(opened.data.id, { headers });
  return state;
});

/** A table to open, the first marker on its board, and how a program says what it has read. */

export const table = {
  mode: "table" as const,
  preset: "njet-english",
  players: [{ name: "Ana" }, { name: "Ben", bot: null }, { name: "Cleo" }]
};

export const mark = { type: "place" as const, row: "trump" as const, space: "red" };

/** Run a program with the address of the server, and print what it gives. */
export function done(program: (baseUrl: string) => Promise<unknown>) {
  program(process.argv[2]).then((found) => console.log(JSON.stringify(found)));
}

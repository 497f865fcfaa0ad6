/** Something the person at the terminal can repair: one line, no stack. */
export class Refusal extends Error {}

/** Runs a script's body; a Refusal becomes one line on stderr and exit code 1, anything else keeps its stack. */
export async function runScript(body) {
  try {
    process.exitCode = await body();
  } catch (error) {
    console.error(error instanceof Refusal ? error.message : error);
    process.exitCode = 1;
  }
}

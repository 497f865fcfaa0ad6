/** Why a file that was named on the command line cannot be read, as one sentence. Throws what is no error of the system. */
export function readFault(path: string, error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : null;
  if (code === null) throw error;
  return code === 'ENOENT' ? `there is no file ${path}` : `${path} cannot be read (${code})`;
}

const HELP = ['--help', '-h'];

/** Not the usual 0: that says that a file was verified, also to a script which was handed a file of this name. */
export const HELP_EXIT_CODE = 2;

/** Whether a call gets the usage and nothing else. */
export const asksForHelp = (given: readonly string[]): boolean =>
  given.some((word) => HELP.includes(word));

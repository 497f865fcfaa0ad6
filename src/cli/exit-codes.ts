/** How the command line ends; a closed list, documented in docs/cli.md. */
export const EXIT = {
  /** What was asked was done. */
  done: 0,
  /** The answer is no: refused, or a check found a difference. Nothing is broken. */
  no: 1,
  /** It could not be run as it was given: a command, an option, a file, a setting; for `rebuild` the database too. */
  usage: 2,
  /** The service answered with a problem. */
  problem: 3,
  /** No answer of the service: what was asked may have been done. */
  unreachable: 4,
  /** A fault of this program. */
  broken: 5,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

import type { Command } from 'commander';
import type { ExitCode } from './exit-codes.js';
import type { ProgressLine } from './progress.js';
import type { Output, Session } from './session.js';

export interface Surroundings extends Output {
  readonly version: string;
  /** Whether somebody watches: both outputs are a terminal. */
  readonly isWatched: boolean;
  readonly writeError: (text: string) => void;
  readonly settings: {
    readonly url: string | null;
    readonly apiKey: string | null;
    readonly keyFile: string | null;
  };
}

/** Arguments in their order, then the options of the command and of the program together. */
export interface Given<Options> {
  readonly words: readonly string[];
  readonly options: Options;
}

export type Action<Options> = (session: Session, given: Given<Options>) => Promise<ExitCode>;

/** What a group of commands needs in order to add itself. */
export interface Shelf {
  readonly program: Command;
  /** A command that talks to the service. */
  readonly online: <Options>(
    action: Action<Options>,
  ) => (...given: readonly unknown[]) => Promise<void>;
  /** A command that needs none. */
  readonly local: <Options>(
    action: (
      given: Given<Options> & { readonly json: boolean },
      surroundings: Surroundings & { readonly progress: ProgressLine },
    ) => Promise<ExitCode>,
  ) => (...given: readonly unknown[]) => Promise<void>;
}

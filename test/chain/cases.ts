import { type ExportFile, fileOf, type Form, FORMS } from './export-file.js';

/** What the contract says about a file, written down without running a verifier. */
export interface Expected {
  readonly exit: 0 | 1 | 2;
  readonly break: string | null;
  readonly seq: number | null;
  /** Entries accepted, where the rule says it. */
  readonly entries?: number;
}

export const VERIFIED: Expected = { exit: 0, break: null, seq: null };
export const UNREADABLE: Expected = { exit: 2, break: null, seq: null };
export const broken = (code: string, seq: number, entries?: number): Expected => ({
  ...{ exit: 1, break: code, seq },
  ...(entries === undefined ? {} : { entries }),
});

export interface CaseOptions {
  readonly expectedHead?: string;
  /** Content of the file of --hmac-secret-file. */
  readonly secrets?: string;
  /** Content of the file of --witness-keys. */
  readonly keys?: string;
  readonly more?: readonly string[];
}

export interface Case {
  readonly name: string;
  readonly content: string | Buffer;
  readonly options: CaseOptions;
  readonly expected: Expected;
  /** The whole --json answer but `message`, where the rule gives all of it. */
  readonly answer?: Readonly<Record<string, unknown>>;
}

/** An export as values and what is expected of it, in every form it can be printed in. */
export interface Damage {
  readonly name: string;
  readonly file: ExportFile;
  readonly expected: Expected | ((form: Form) => Expected);
  readonly options?: CaseOptions;
  /** Default: both. */
  readonly forms?: readonly Form[];
  /** Done to the printed text. */
  readonly text?: (printed: string) => string;
}

const copyOf = (file: ExportFile): ExportFile => structuredClone(file);

/** A copy with one change. */
export function changed(file: ExportFile, change: (file: ExportFile) => void): ExportFile {
  const copy = copyOf(file);
  change(copy);
  return copy;
}

/** The cases of a damage; one whose text is the undamaged one would prove nothing and throws. */
export function casesOf(damage: Damage): Case[] {
  const { name, file, expected, options = {}, forms = FORMS, text = (printed) => printed } = damage;
  return forms.map((form) => {
    const printed = fileOf(file, form);
    const content = text(printed);
    if (damage.text !== undefined && content === printed)
      throw new Error(`${name} (${form}) changes nothing`);
    return {
      name: `${name} (${form})`,
      content,
      options,
      expected: typeof expected === 'function' ? expected(form) : expected,
    };
  });
}

export const at = <Item>(items: readonly Item[], index: number): Item => {
  const item = items.at(index);
  if (item === undefined) throw new Error(`nothing at ${index}`);
  return item;
};

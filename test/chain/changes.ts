import type { Expected } from './cases.js';
import type { ExportFile, Form } from './export-file.js';

/** One edit of an honest export, and what follows from it. */
export interface Change {
  readonly what: string;
  readonly change: (file: ExportFile) => void;
  readonly expected: Expected | ((form: Form) => Expected);
  readonly forms?: readonly Form[];
}

/** The first digit of a digest, changed; any other text gets a letter in front. */
export const otherText = (text: string): string =>
  /^[0-9a-f]/.test(text) ? `${text.startsWith('0') ? '1' : '0'}${text.slice(1)}` : `x${text}`;

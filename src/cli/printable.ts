const UNSEEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;
const CONTROL_IN_JSON = /[\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

const escaped = (character: string): string =>
  `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`;

/**
 * Text of somebody else on a terminal: what would move the cursor, colour the screen or turn the direction of writing is
 * spelled out instead.
 */
export const printable = (text: string): string => text.replace(UNSEEN, escaped);

/** The same for text of several lines. */
export const printableLines = (text: string): string => text.split('\n').map(printable).join('\n');

/** JSON that is safe on a terminal too; it reads as the same value. */
export const jsonText = (value: unknown, indent = 0): string =>
  JSON.stringify(value, null, indent).replace(CONTROL_IN_JSON, escaped);

/** At most so many characters, whole ones. */
export function clipped(text: string, charactersMax: number): string {
  const characters = [...text.slice(0, charactersMax * 2)];
  return text.length <= charactersMax ? text : `${characters.slice(0, charactersMax).join('')}...`;
}

/**
 * On which line, counted from 1, each piece of a text ends, for pieces that follow one another and keep the line breaks
 * around them. Breaks behind a piece begin the next line; `\r\n` is one break.
 */
export function lineEnds(pieces: readonly string[]): readonly number[] {
  let line = 1;
  return pieces.map((piece) => {
    const content = piece.replace(/[\r\n]+$/, '');
    const end = line + breaksIn(content);
    line += breaksIn(piece);
    return end;
  });
}

const breaksIn = (text: string): number => text.match(/\r\n|\r|\n/g)?.length ?? 0;

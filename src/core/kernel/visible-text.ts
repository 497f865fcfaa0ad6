/**
 * Whether a text looks as it reads: no control characters and none that turn the direction of what stands beside them
 * (Unicode property Bidi_Control), so that a person is not shown `gro.elpmaxe` as `example.org`. Joiners that scripts
 * need stay. Not checked: look-alike letters.
 */
export const isVisibleText = (text: string): boolean =>
  !/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/u.test(text);

/** The text of every offline verifier by its path from the root. */
export function bundledVerifiers(): Promise<Readonly<Record<string, string>>>;

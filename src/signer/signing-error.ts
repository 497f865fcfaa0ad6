/** A request that cannot be signed as it was asked for; the message says what to change. */
export class SigningError extends Error {
  override readonly name = 'SigningError';
}

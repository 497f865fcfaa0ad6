import { parseStrictJson } from '../../core/kernel/index.js';
import { type Artifact, parseArtifact } from '../../core/proofs/index.js';

/** Text of envelopes whose parsed form this process keeps, in UTF-16 units. */
export const PARSED_ARTIFACTS_LENGTH_MAX = 8 * 1024 * 1024;

/**
 * Reads registered envelopes, each text once per process. Only the reading is remembered, under the exact text: it is
 * the same for the same bytes. Signature, key state, times, status and scope are judged on every use.
 */
export class ParsedArtifacts {
  readonly #parsed = new Map<string, Artifact>();
  #length = 0;

  constructor(private readonly lengthMax = PARSED_ARTIFACTS_LENGTH_MAX) {}

  /** Null = the text is no artifact; that is not remembered. */
  parse(envelopeText: string): Artifact | null {
    const known = this.#parsed.get(envelopeText);
    if (known !== undefined) return known;
    const json = parseStrictJson(envelopeText);
    const parsed = json.ok ? parseArtifact(json.value) : null;
    if (parsed?.ok !== true) return null;
    this.#remember(envelopeText, parsed.value);
    return parsed.value;
  }

  /** How much text is kept now. */
  get length(): number {
    return this.#length;
  }

  #remember(envelopeText: string, artifact: Artifact): void {
    this.#parsed.set(envelopeText, artifact);
    this.#length += envelopeText.length;
    for (const oldest of this.#parsed.keys()) {
      if (this.#length <= this.lengthMax) return;
      this.#parsed.delete(oldest);
      this.#length -= oldest.length;
    }
  }
}

/** What one message may hold (facts/signatures.md 1.1 step 1). Node's parser ends at 16 KiB for all headers. */
export const LIMITS = {
  /** Of Signature-Input, Signature, Signature-Agent, UCP-Agent, Content-Digest and Accept-Signature, lines joined. */
  fieldCharacters: 4_096,
  /** Of any other covered field. */
  coveredFieldCharacters: 16_384,
  labels: 4,
  labelCharacters: 64,
  components: 32,
  componentCharacters: 256,
  parameters: 16,
  nonceCharacters: 256,
  keyIdCharacters: 512,
  tagCharacters: 64,
  targetCharacters: 8_192,
  authorityCharacters: 512,
  agentUrlCharacters: 512,
} as const;

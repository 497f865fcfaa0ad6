import { type Result } from '../../kernel/index.js';
import { type AgentForm, type KeySource } from '../candidate.js';
import { type HttpRequestMessage } from '../message.js';
import { type VerificationContext } from '../settings.js';
import { type LabelledSignature } from '../signature-input.js';
import { type SignatureFault } from '../vocabulary.js';

/** One label of a request, without a fault of its own. */
export interface ProfileSubject {
  readonly request: HttpRequestMessage;
  readonly signature: LabelledSignature;
  readonly context: VerificationContext;
}

/** What a profile makes of a label that it takes. */
export interface ProfileAnswer {
  readonly keySource: KeySource;
  readonly keyId: string;
  readonly agent: string | null;
  readonly agentForm: AgentForm | null;
  /** Nonces are kept at least so long. */
  readonly windowSeconds: number;
}

/** Judges a label without its key. */
export type JudgeProfile = (subject: ProfileSubject) => Result<ProfileAnswer, SignatureFault>;

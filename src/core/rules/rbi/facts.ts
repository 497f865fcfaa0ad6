import { codec } from '../../kernel/index.js';

/** Placeholder shape until the RBI room stands. */
export const rbiFacts = codec.record({ rail: codec.nullable(codec.text) });

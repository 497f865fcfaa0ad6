/** One definition for the arbiter and the authority: both say to which lineage a slot belongs. */
export { factLineage as lineageOf } from '../../core/proofs/index.js';

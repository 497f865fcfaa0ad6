import { codec } from '../../core/kernel/index.js';
import { defineEvent } from '../ledger/index.js';

/** The tenant's merchant surfaces answer under this origin. */
export const originAdded = defineEvent(
  'origin.added',
  codec.record({ origin: codec.text, primary: codec.flag }),
);

/** Links and documents that need one origin name this one from now on. */
export const originMadePrimary = defineEvent(
  'origin.made_primary',
  codec.record({ origin: codec.text }),
);

export const originRetired = defineEvent(
  'origin.retired',
  codec.record({ origin: codec.text, wasPrimary: codec.flag }),
);

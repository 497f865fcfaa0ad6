import { BodyScanner } from './body-scanner.js';

const ascii = (text: string): Uint8Array => Uint8Array.from(Buffer.from(text, 'latin1'));

const OPENED = ascii('ledger.opened');
const SEALING_SWITCHED = ascii('ledger.sealing_switched');
/** Where the data of each says that sealing is on. */
const ON_IN_OPENED = [ascii('sealing'), ascii('on')];
const ON_IN_SWITCHED = [ascii('on')];

/** What a verifier reads of a body. */
export class EntryForm {
  /** Whether the body is one of an entry at its place: canonical, and of type `ledger.opened` at seq 0 and only there. */
  isEntry = false;
  /** What an entry says about sealing from itself on; null for most. A body that is no entry's says nothing. */
  declaredSealing: boolean | null = null;

  readonly #scanner = new BodyScanner();

  /** Reads a body: UTF-8 with a zero byte behind it (see {@link BodyScanner}). */
  read(place: BodyPlace): void {
    const { bytes, begin, end, seq } = place;
    const scanner = this.#scanner;
    this.declaredSealing = null;
    this.isEntry = scanner.scan(bytes, begin, end);
    if (!this.isEntry) return;
    const isOpening = scanner.typeIs(OPENED);
    this.isEntry = (seq === 0) === isOpening;
    if (!this.isEntry) return;
    if (isOpening) this.declaredSealing = scanner.dataIsTrue(ON_IN_OPENED);
    else if (scanner.typeIs(SEALING_SWITCHED))
      this.declaredSealing = scanner.dataIsTrue(ON_IN_SWITCHED);
  }

  readText(body: string, seq: number): void {
    const bytes = Buffer.from(`${body}\0`, 'utf8');
    this.read({ bytes, begin: 0, end: bytes.length - 1, seq });
  }
}

export interface BodyPlace {
  readonly bytes: Uint8Array;
  readonly begin: number;
  readonly end: number;
  readonly seq: number;
}

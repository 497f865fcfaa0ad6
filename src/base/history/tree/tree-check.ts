import { checkpointText, EMPTY_RANGE, leafHash, TreeBuilder } from '../../../core/chain/index.js';
import type { TenantId } from '../../../core/kernel/index.js';
import type { DerivedCheck, DerivedTables, TellsDifference } from '../../ledger/index.js';
import type { Queryable } from '../../platform/index.js';
import { STORED_LEVELS } from './subtree-hashes.js';
import { readRuns, readSignedHeads, type SignedHead, storedNodes } from './tree-check.store.js';
import { readTree, type TreeRun } from './trees.store.js';

/** What `arbiter rebuild --check` builds again from the links: the trees, and what was signed over them. */
export const DERIVED_HISTORY: DerivedTables = {
  tables: ['ledger_trees', 'tree_nodes', 'tree_runs', 'ledger_checkpoints'],
  check: (connection, tenantId, differs) => new TreeCheck({ connection, tenantId, differs }),
};

type Stored = NonNullable<Awaited<ReturnType<typeof readTree>>>;

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
const nodeKey = (level: number, index: number): string => `[${level},${index}]`;

/** Builds one tenant's tree again and compares it with the rows, as far as the stored tree has read the ledger. */
class TreeCheck implements DerivedCheck {
  readonly #nodes = new Map<string, Uint8Array>();
  readonly #runs: TreeRun[] = [];
  readonly #builder = new TreeBuilder(EMPTY_RANGE, (level, index, hash) => {
    if (level > 0 && level % STORED_LEVELS === 0) this.#nodes.set(nodeKey(level, index), hash);
  });
  #stored: Stored | null | undefined;
  #nextSeq = 0;
  #lastSeq = -1;
  #lastLink: string | null = null;
  #rowCount = 0;

  constructor(
    private readonly parts: {
      readonly connection: Queryable;
      readonly tenantId: TenantId;
      readonly differs: TellsDifference;
    },
  ) {}

  async entries(
    page: readonly { readonly seq: number; readonly link: string | null }[],
  ): Promise<void> {
    const { connection, tenantId } = this.parts;
    this.#stored ??= await readTree(connection, tenantId);
    if (this.#stored === null) return;
    const { nextSeq, origin } = this.#stored;
    const read = page.filter(({ seq }) => seq < nextSeq);
    const fromSize = this.#builder.size + 1;
    const throughSize = this.#builder.size + read.filter(({ link }) => link !== null).length;
    const heads = await readSignedHeads(connection, tenantId, { fromSize, throughSize });
    const bySize = new Map(heads.map((head) => [head.size, head]));
    this.#rowCount += heads.length;
    for (const { seq, link } of read) {
      this.#nextSeq = seq + 1;
      if (link === null) continue;
      if (this.#lastSeq === -1 || seq !== this.#lastSeq + 1)
        this.#runs.push({ firstIndex: this.#builder.size, firstSeq: seq });
      this.#builder.pushLeafHash(leafHash(Buffer.from(link, 'hex')));
      this.#lastSeq = seq;
      this.#lastLink = link;
      const head = bySize.get(this.#builder.size);
      if (head !== undefined) this.#compareHead(head, origin);
    }
  }

  async finish(): Promise<number> {
    const { connection, tenantId } = this.parts;
    this.#stored ??= await readTree(connection, tenantId);
    if (this.#stored !== null) this.#compareTree(this.#stored);
    await this.#compareNodes();
    await this.#compareRuns();
    await this.#findHeadsBeyond();
    return this.#rowCount;
  }

  #compareTree({ range, nextSeq, lastSeq, lastLink }: Stored): void {
    this.#rowCount += 1;
    const key = this.parts.tenantId;
    const folded = this.#builder.range();
    const told: readonly [string, string, string][] = [
      ['size', String(range.size), String(folded.size)],
      ['next_seq', String(nextSeq), String(this.#nextSeq)],
      ['last_seq', String(lastSeq), String(this.#lastSeq)],
      ['last_link', String(lastLink), String(this.#lastLink)],
      ['peaks', range.peaks.map(hex).join(''), folded.peaks.map(hex).join('')],
    ];
    for (const [member, stored, is] of told)
      this.#tell({ table: 'ledger_trees', key, member }, stored, is);
  }

  async #compareNodes(): Promise<void> {
    const missing = this.#nodes;
    for await (const { level, index, hash } of storedNodes(
      this.parts.connection,
      this.parts.tenantId,
    )) {
      this.#rowCount += 1;
      const key = nodeKey(level, index);
      const folded = missing.get(key);
      missing.delete(key);
      const place = { table: 'tree_nodes', key };
      if (folded === undefined) this.#tell({ ...place, member: 'row' }, 'present', null);
      else this.#tell({ ...place, member: 'hash' }, hex(hash), hex(folded));
    }
    for (const key of missing.keys())
      this.#tell({ table: 'tree_nodes', key, member: 'row' }, null, 'present');
  }

  async #compareRuns(): Promise<void> {
    const stored = await readRuns(this.parts.connection, this.parts.tenantId);
    this.#rowCount += stored.length;
    const folded = new Map(this.#runs.map(({ firstIndex, firstSeq }) => [firstIndex, firstSeq]));
    for (const { firstIndex, firstSeq } of stored) {
      const is = folded.get(firstIndex);
      folded.delete(firstIndex);
      const place = { table: 'tree_runs', key: `[${firstIndex}]` };
      if (is === undefined) this.#tell({ ...place, member: 'row' }, 'present', null);
      else this.#tell({ ...place, member: 'first_seq' }, String(firstSeq), String(is));
    }
    for (const index of folded.keys())
      this.#tell({ table: 'tree_runs', key: `[${index}]`, member: 'row' }, null, 'present');
  }

  #compareHead({ size, seq, link, root, text }: SignedHead, origin: string): void {
    const is = this.#builder.root();
    const place = { table: 'ledger_checkpoints', key: `[${size}]` };
    this.#tell({ ...place, member: 'seq' }, String(seq), String(this.#lastSeq));
    this.#tell({ ...place, member: 'link' }, link, String(this.#lastLink));
    this.#tell({ ...place, member: 'root' }, hex(root), hex(is));
    const signed = checkpointText({ origin, size: BigInt(size), root: is, extensions: [] });
    this.#tell({ ...place, member: 'note_text' }, text, signed);
  }

  /** Signed heads of trees larger than the one that stands: the ledger was cut, or the tree was. */
  async #findHeadsBeyond(): Promise<void> {
    const { connection, tenantId } = this.parts;
    const fromSize = this.#builder.size + 1;
    const range = { fromSize, throughSize: Number.MAX_SAFE_INTEGER };
    for (const { size } of await readSignedHeads(connection, tenantId, range)) {
      this.#rowCount += 1;
      const place = { table: 'ledger_checkpoints', key: `[${size}]`, member: 'row' };
      this.#tell(place, 'present', null);
    }
  }

  #tell(
    place: { readonly table: string; readonly key: string; readonly member: string },
    stored: string | null,
    folded: string | null,
  ): void {
    if (stored !== folded) this.parts.differs({ ...place, stored, folded });
  }
}

import { err, invariant, ok, problem, type Problem, type Result } from '../../core/kernel/index.js';
import {
  cell,
  type CellRef,
  type CellView,
  type Command,
  type CommandContext,
  event,
  type LedgerEvent,
  type Moment,
} from '../../base/ledger/index.js';
import { lineageFault, MANDATE_DEPTH_MAX } from '../../core/proofs/index.js';
import {
  objectBound,
  objectKindOf,
  type ObjectRef,
  type ObjectRow,
  objects,
  rowOfBound,
  SLOT_VALUES,
  type SlotRow,
  slots,
} from '../ledger/index.js';
import type { Place } from '../lists/index.js';
import {
  type BindingExtras,
  isTreeKind,
  type NewObject,
  storedTermsOf,
  termsOf,
  TREE_KINDS,
  TREE_SIZE_MAX,
} from './new-object.js';
import type { ObjectPlace } from './objects.store.js';
import * as problems from './problems.js';

/** Something that is built upon appeared between the look and the lock: look again. Never shown to a caller. */
export const LOOK_AGAIN = problem('conflict', 'Something changed at the same moment.', {
  fix: 'Repeat the request.',
});

export interface Binding {
  readonly objects: readonly NewObject[];
  /** What they build on, parents and consents, as it was seen before the lock. */
  readonly ground: readonly ObjectPlace[];
  /** Where the objects stand in the request: `at(3)` is `/objects/3`. */
  readonly at: (index: number) => string;
  readonly extras?: BindingExtras;
}

/**
 * Binds objects to their slots, all or none: one entry each. What is bound already with the same bytes and slot is left
 * as it is. Problems of each object in order, the first object that has one answers: not_found (slot never reserved),
 * conflict (other bytes under the id, slot of something else), unverifiable (parent unknown or not valid, tree too deep
 * or too large, beyond its parent; consent not usable), conflict (consent has its passport, slot revoked), then those of
 * `extras.check`.
 */
export function bindObjects(context: CommandContext, binding: Binding): Command<number> {
  const { extras = {} } = binding;
  return {
    ...context,
    name: 'authority.bind_objects',
    reads: [...readsOf(binding), ...(extras.reads ?? [])],
    decide(view, moment) {
      const draft = new Draft(view, { moment, ground: binding.ground });
      const events: LedgerEvent[] = [];
      for (const [index, object] of binding.objects.entries()) {
        const bound = draft.bind(object, binding.at(index));
        if (!bound.ok) return bound;
        if (bound.value !== null) events.push(bound.value);
      }
      const objection = extras.check?.(view, moment) ?? null;
      if (objection !== null) return err(objection);
      return ok({ events, sideWrites: events.length === 0 ? [] : (extras.sideWrites ?? []) });
    },
    answer: () => binding.objects.length,
  };
}

/** Parents and consents that a request builds on; a parent may be of either kind of the tree. */
export const groundOf = (bound: readonly NewObject[]): readonly ObjectRef[] =>
  unique(
    bound.flatMap(({ parentId, consentId }) => [
      ...(parentId === null ? [] : TREE_KINDS.map((kind) => ({ kind, id: parentId }))),
      ...(consentId === null ? [] : [{ kind: 'consent' as const, id: consentId }]),
    ]),
  );

const unique = (refs: readonly ObjectRef[]): readonly ObjectRef[] => [
  ...new Map(refs.map((ref) => [`${ref.kind} ${ref.id}`, ref])).values(),
];

const twinOf = (kind: string): ObjectRef['kind'] =>
  kind === 'mandate' ? 'registration' : 'mandate';

function readsOf({ objects: bound, ground }: Binding): readonly CellRef[] {
  const own = bound.flatMap(({ kind, objectId: id }) => [
    { kind, id },
    ...(isTreeKind(kind) ? [{ kind: twinOf(kind), id }] : []),
  ]);
  const roots = ground.flatMap(({ rootKind, rootId }) =>
    rootKind === null || rootId === null ? [] : [{ kind: objectKindOf(rootKind), id: rootId }],
  );
  return [
    ...unique([...own, ...groundOf(bound), ...roots]).map(({ kind, id }) =>
      cell(objects, kind, id),
    ),
    ...[...bound, ...ground].map(({ listNumber, slotIndex }) => cell(slots, listNumber, slotIndex)),
  ];
}

/** The rows as the objects of the same request before left them. */
class Draft {
  readonly #objects = new Map<string, ObjectRow>();
  readonly #slots = new Map<string, SlotRow>();
  /** Objects whose slot and root are among the reads. */
  readonly #grounded: Set<string>;
  readonly #moment: Moment;

  constructor(
    private readonly view: CellView,
    { moment, ground }: { readonly moment: Moment; readonly ground: readonly ObjectPlace[] },
  ) {
    this.#moment = moment;
    this.#grounded = new Set(ground.map(({ kind, objectId }) => `${kind} ${objectId}`));
  }

  /** The event, or null when the object is bound already. */
  bind(object: NewObject, at: string): Result<LedgerEvent | null, Problem> {
    const slot = this.slot(object);
    if (slot === undefined) return err(problems.neverReserved(at));
    const known = this.object(object.kind, object.objectId);
    if (known !== undefined) return isSame(known, object) ? ok(null) : err(problems.otherBytes(at));
    if (isTreeKind(object.kind) && this.object(twinOf(object.kind), object.objectId) !== undefined)
      return err(problems.otherBytes(at));
    if (!mayTake(slot, object)) return err(problems.otherLineage(at));
    const tree = isTreeKind(object.kind) ? this.treeOf(object, at) : ok(NO_TREE);
    if (!tree.ok) return tree;
    const objection = this.consentObjection(object, at);
    if (objection !== null) return err(objection);
    if (slot.value === SLOT_VALUES.revoked) return err(problems.slotRevoked(at));
    const data = { ...object, ...tree.value };
    this.remember(data, slot);
    return ok(event(objectBound, data));
  }

  private treeOf(object: NewObject, at: string): Result<TreePlace, Problem> {
    const self = { kind: object.kind, id: object.objectId };
    if (object.parentId === null) return ok({ parent: null, root: self, depth: 1 });
    const parent = this.inTree(object.parentId);
    if (parent === undefined) return err(problems.parentUnknown(at));
    if (!this.isGrounded(parent)) return err(LOOK_AGAIN);
    const root = this.object(parent.rootKind ?? '', parent.rootId ?? '');
    invariant(root !== undefined && object.mandate !== null, 'a tree has a root, and terms');
    if (!this.stands(parent)) return err(problems.parentNotValid(at));
    if (parent.depth >= MANDATE_DEPTH_MAX) return err(problems.treeTooDeep(at));
    if (root.treeSize >= TREE_SIZE_MAX) return err(problems.treeTooLarge(at));
    const fault = lineageFault(
      termsOf({ mandate: object.mandate }, object.merchantIds),
      storedTermsOf(parent),
    );
    if (fault !== null) return err(problems.beyondParent(at, fault));
    return ok({ parent: refOf(parent), root: refOf(root), depth: parent.depth + 1 });
  }

  private consentObjection({ consentId }: NewObject, at: string): Problem | null {
    if (consentId === null) return null;
    const consent = this.object('consent', consentId);
    if (consent === undefined) return problems.consentUnusable(at);
    if (!this.isGrounded(consent)) return LOOK_AGAIN;
    if (!this.stands(consent)) return problems.consentUnusable(at);
    return consent.childCount > 0 ? problems.consentTaken(at) : null;
  }

  /** INVARIANT: read under the tenant's lock, so a revocation came wholly before or comes wholly after. */
  private stands(row: ObjectRow): boolean {
    const { expiresAtMs } = row;
    return (
      this.slot(row)?.value === SLOT_VALUES.valid &&
      (expiresAtMs === null || this.#moment.atMs < expiresAtMs)
    );
  }

  private isGrounded({ kind, objectId }: ObjectRow): boolean {
    const name = `${kind} ${objectId}`;
    return this.#grounded.has(name) || this.#objects.has(name);
  }

  private inTree(id: string): ObjectRow | undefined {
    return TREE_KINDS.map((kind) => this.object(kind, id)).find((row) => row !== undefined);
  }

  private object(kind: string, id: string): ObjectRow | undefined {
    return this.#objects.get(`${kind} ${id}`) ?? this.view.get(objects, [kind, id]);
  }

  private slot({ listNumber, slotIndex }: Place): SlotRow | undefined {
    const name = `${listNumber} ${slotIndex}`;
    return this.#slots.get(name) ?? this.view.get(slots, [listNumber, slotIndex]);
  }

  private remember(data: Parameters<typeof rowOfBound>[0], slot: SlotRow): void {
    const put = (row: ObjectRow): void => {
      this.#objects.set(`${row.kind} ${row.objectId}`, row);
    };
    put(rowOfBound(data, this.#moment.atMs));
    const { lineage, kind: subjectKind, objectId: subjectId } = data;
    this.#slots.set(`${slot.listNumber} ${slot.slotIndex}`, {
      ...slot,
      lineage,
      subjectKind,
      subjectId,
    });
    const { parent, root, consentId } = data;
    const count = (ref: ObjectRef | null, change: (row: ObjectRow) => Partial<ObjectRow>): void => {
      const row = ref === null ? undefined : this.object(ref.kind, ref.id);
      if (row !== undefined) put({ ...row, ...change(row) });
    };
    count(parent, ({ childCount }) => ({ childCount: childCount + 1 }));
    if (parent !== null) count(root, ({ treeSize }) => ({ treeSize: treeSize + 1 }));
    if (consentId !== null)
      count({ kind: 'consent', id: consentId }, ({ childCount }) => ({
        childCount: childCount + 1,
      }));
  }
}

interface TreePlace {
  readonly parent: ObjectRef | null;
  readonly root: ObjectRef | null;
  readonly depth: number;
}

const NO_TREE: TreePlace = { parent: null, root: null, depth: 0 };

const refOf = ({ kind, objectId }: ObjectRow): ObjectRef => ({
  kind: objectKindOf(kind),
  id: objectId,
});

const isSame = (row: ObjectRow, object: NewObject): boolean =>
  row.sha256 === object.sha256 &&
  row.lineage === object.lineage &&
  row.listNumber === object.listNumber &&
  row.slotIndex === object.slotIndex &&
  row.parentId === object.parentId;

/** A lineage of artifacts keeps its slot through renewals; everything else has its slot alone. */
const mayTake = (slot: SlotRow, { kind, lineage }: NewObject): boolean =>
  slot.lineage === null ||
  (kind === 'artifact' && slot.subjectKind === kind && slot.lineage === lineage);

import { OWNED_OPERATIONS, type OwnedOperationId } from '../operations/owned-operations.ts';

type OfBoth<Wires> = Wires & {
  readonly [Id in keyof Wires & OwnedOperationId as (typeof OWNED_OPERATIONS)[Id]]: Wires[Id];
};

/** Requests and answers of operations on what is a workspace's, and the same of those on what is the operator's own. */
export function ofBothOwners<const Wires extends { readonly [Id in OwnedOperationId]?: object }>(
  wires: Wires,
): OfBoth<Wires> {
  const ids = Object.keys(wires) as (keyof Wires & OwnedOperationId)[];
  const ofOperator: object = Object.fromEntries(ids.map((id): [string, unknown] => [OWNED_OPERATIONS[id], wires[id]]));
  // In an object made of entries, no name has a type of its own.
  return { ...wires, ...ofOperator } as OfBoth<Wires>;
}

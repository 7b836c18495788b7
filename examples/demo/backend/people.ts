/** A person who can sign in to the demo. A real host app has its own user store. */
export interface Person {
  readonly id: string;
  /** Their role. */
  readonly name: string;
  readonly email: string;
  /** What they can see, for the sign-in page. */
  readonly summary: string;
  /** RLS role codes of the portal, which filter the rows of their reports. */
  readonly roleNames: readonly string[];
  /** Item IDs that they may open; absent: all. */
  readonly only?: readonly number[];
}

export const people: readonly Person[] = [
  {
    id: 'head-of-sales',
    name: 'Head of sales',
    email: 'head.of.sales@acme.example',
    summary: 'Every region, every report',
    roleNames: ['all-regions'],
  },
  {
    id: 'north',
    name: 'Regional manager, North',
    email: 'north.manager@acme.example',
    summary: 'Only rows of the North',
    roleNames: ['region-north'],
  },
  {
    id: 'south',
    name: 'Regional manager, South',
    email: 'south.manager@acme.example',
    summary: 'Only rows of the South',
    roleNames: ['region-south'],
  },
  {
    id: 'auditor',
    name: 'External auditor',
    email: 'auditor@acme.example',
    summary: 'East and West, and only the order book',
    roleNames: ['region-east', 'region-west'],
    only: [1044],
  },
];

export const mayOpen = (person: Person, itemId: number): boolean =>
  person.only === undefined || person.only.includes(itemId);

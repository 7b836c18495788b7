import { reportTitles } from '../reports/shared/reportKinds.ts';
import { ruleValues } from '../reports/shared/ruleValues.ts';
import { derivedGuid } from './derived.ts';
import type { PortalSeed } from './portalSeed.ts';

const regions = ruleValues.region;

const admin = 'Tenant administrator';
const commonRoles = [
  { name: admin, type: 'System', description: 'Can change everything in the tenant.', isSystem: true },
  { name: 'Viewer', type: 'Report', description: 'Can open reports.' },
];

const rlsRole = (name: string, description: string) => ({
  name,
  type: 'RLS',
  code: name.toLowerCase().replaceAll(' ', '-'),
  description,
});

const regionRoles = regions.map((region) => ({
  ...rlsRole(`Region ${region}`, `Rows of the region ${region}.`),
  rule: { kind: 'equals' as const, column: 'region' as const, value: region },
}));

const user = (type: string, email: string, name: readonly [first: string, last: string]) => ({
  type,
  email,
  firstName: name[0],
  lastName: name[1],
});

const regionalManagers = regions.map((region) => ({
  ...user('DirectoryAD', `${region.toLowerCase()}.manager@acme.example`, ['Regional manager,', region]),
  roles: ['Viewer', `Region ${region}`],
  organizationUnits: [region.toLowerCase()],
}));

const peopleOf = (region: string) =>
  ['Account executive', 'Sales analyst', 'Inside sales'].map((job) => ({
    id: derivedGuid(`person:${job}:${region}`),
    ...user('DirectoryAD', `${job.toLowerCase().replaceAll(' ', '.')}.${region.toLowerCase()}@acme.example`, [
      `${job},`,
      region,
    ]),
  }));

/** GUID of the directory group behind a region of acme. */
const groupId = (region: string) => derivedGuid(`group:${region}`);

/** The default seed: two companies, the first with data of every kind. */
export const defaultSeed: PortalSeed = {
  tenants: [
    {
      tenantId: 101,
      tenancyName: 'acme',
      displayName: 'Acme Trading',
      roles: [
        ...commonRoles,
        ...regionRoles,
        { ...rlsRole('All regions', 'Every row.'), rule: { kind: 'all' } },
        {
          ...rlsRole('Own accounts', 'Rows whose owner is the viewing user, according to USERNAME().'),
          rule: { kind: 'username', column: 'owner' },
        },
      ],
      organizationUnits: [
        { id: 'sales', name: 'Sales', parentId: 'root' },
        ...regions.map((region) => ({
          id: region.toLowerCase(),
          name: region,
          parentId: 'sales',
          directoryGroupId: groupId(region),
        })),
        { id: 'operations', name: 'Operations', parentId: 'root' },
        { id: 'head-office', name: 'Head office', parentId: 'root' },
      ],
      users: [
        {
          ...user('UserPass', 'administrator@acme.example', ['Tenant', 'administrator']),
          roles: [admin, 'All regions'],
          organizationUnits: ['head-office'],
        },
        {
          ...user('DirectoryAD', 'sales.director@acme.example', ['Sales', 'director']),
          roles: ['Viewer', 'All regions'],
          organizationUnits: ['sales'],
        },
        {
          ...user('MobileID', 'plant.manager@acme.example', ['Plant', 'manager']),
          roles: ['Viewer'],
          organizationUnits: ['operations'],
        },
        ...regionalManagers,
      ],
      directory: {
        people: regions.flatMap(peopleOf),
        groups: regions.map((region) => ({
          id: groupId(region),
          name: `Sales ${region}`,
          members: peopleOf(region).map(({ id }) => id),
        })),
      },
      items: reportTitles.map(([report, displayName], place) => ({
        id: 1042 + place,
        type: report === 'operations' ? 'dashboard' : 'report',
        displayName,
        report,
        ...((report === 'sales' || report === 'orders') && { hasRls: true, roles: ['Viewer'] }),
      })),
      tasks: [
        {
          name: 'Open the region in the CRM',
          description: 'Tells the CRM which region or month was selected.',
          itemId: 1042,
          visualNames: ['revenue-by-region', 'revenue-by-month', 'revenue-by-product'],
        },
        {
          name: 'Follow up an order',
          description: 'Sends the selected orders to the order desk.',
          itemId: 1044,
          visualNames: ['orders-table', 'orders-by-status'],
        },
        {
          name: 'Nightly revenue check',
          description: 'Compares yesterday with the plan.',
          kind: 'daxQuery',
          itemId: 1042,
        },
      ],
      slideshows: [{ name: 'Reception screen', itemId: 1045 }],
    },
    {
      tenantId: 202,
      tenancyName: 'globex',
      displayName: 'Globex Logistics',
      roles: commonRoles,
      organizationUnits: [{ id: 'logistics', name: 'Logistics', parentId: 'root' }],
      users: [
        {
          ...user('UserPass', 'administrator@globex.example', ['Tenant', 'administrator']),
          roles: [admin],
          organizationUnits: ['logistics'],
        },
      ],
      items: [{ id: 2001, displayName: 'Sites and output', report: 'operations', type: 'dashboard' }],
    },
  ],
};

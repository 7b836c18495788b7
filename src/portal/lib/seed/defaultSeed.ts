import { derivedGuid } from './derived.ts';
import type { PortalSeed } from './portalSeed.ts';

const regions = ['North', 'South', 'East', 'West'] as const;

const commonRoles = [
  {
    name: 'Tenant administrator',
    type: 'System',
    description: 'Can change everything in the tenant.',
    isSystem: true,
  },
  { name: 'Viewer', type: 'Report', description: 'Can open reports.' },
];

const regionRoles = regions.map((region) => ({
  name: `Region ${region}`,
  type: 'RLS',
  code: `region-${region.toLowerCase()}`,
  description: `Rows of the region ${region}.`,
  rule: { kind: 'equals' as const, column: 'region' as const, value: region },
}));

const regionalManagers = regions.map((region) => ({
  type: 'DirectoryAD',
  email: `${region.toLowerCase()}.manager@acme.example`,
  firstName: 'Regional manager,',
  lastName: region,
  roles: ['Viewer', `Region ${region}`],
  organizationUnits: [region.toLowerCase()],
}));

const directoryPeople = regions.flatMap((region) =>
  ['Account executive', 'Sales analyst', 'Inside sales'].map((job) => ({
    id: derivedGuid(`person:${job}:${region}`),
    email: `${job.toLowerCase().replace(/ /g, '.')}.${region.toLowerCase()}@acme.example`,
    firstName: `${job},`,
    lastName: region,
    type: 'DirectoryAD',
  })),
);

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
        {
          name: 'All regions',
          type: 'RLS',
          code: 'all-regions',
          description: 'Every row.',
          rule: { kind: 'all' },
        },
        {
          name: 'Own accounts',
          type: 'RLS',
          code: 'own-accounts',
          description: 'Rows whose owner is the viewing user, according to USERNAME().',
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
          type: 'UserPass',
          email: 'administrator@acme.example',
          firstName: 'Tenant',
          lastName: 'administrator',
          roles: ['Tenant administrator', 'All regions'],
          organizationUnits: ['head-office'],
        },
        {
          type: 'DirectoryAD',
          email: 'sales.director@acme.example',
          firstName: 'Sales',
          lastName: 'director',
          roles: ['Viewer', 'All regions'],
          organizationUnits: ['sales'],
        },
        {
          type: 'MobileID',
          email: 'plant.manager@acme.example',
          firstName: 'Plant',
          lastName: 'manager',
          roles: ['Viewer'],
          organizationUnits: ['operations'],
        },
        ...regionalManagers,
      ],
      directory: {
        people: directoryPeople,
        groups: regions.map((region) => ({
          id: groupId(region),
          name: `Sales ${region}`,
          members: directoryPeople.filter((person) => person.lastName === region).map((person) => person.id),
        })),
      },
      items: [
        {
          id: 1042,
          type: 'report',
          displayName: 'Sales by region',
          report: 'sales',
          hasRls: true,
          roles: ['Viewer'],
        },
        { id: 1043, displayName: 'Operations board', report: 'operations', type: 'dashboard' },
        {
          id: 1044,
          type: 'report',
          displayName: 'Order book',
          report: 'orders',
          hasRls: true,
          roles: ['Viewer'],
        },
        { id: 1045, type: 'report', displayName: 'Executive summary', report: 'summary' },
      ],
      tasks: [
        {
          name: 'Open the region in the CRM',
          description: 'Tells the CRM which region or month was selected.',
          kind: 'webhook',
          itemId: 1042,
          visualNames: ['revenue-by-region', 'revenue-by-month', 'revenue-by-product'],
        },
        {
          name: 'Follow up an order',
          description: 'Sends the selected orders to the order desk.',
          kind: 'webhook',
          itemId: 1044,
          visualNames: ['orders-table', 'orders-by-status'],
        },
        {
          name: 'Nightly revenue check',
          description: 'Compares yesterday with the plan.',
          kind: 'daxQuery',
          itemId: 1042,
          query: 'EVALUATE SUMMARIZECOLUMNS(Sales[Region], "Revenue", SUM(Sales[Revenue]))',
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
          type: 'UserPass',
          email: 'administrator@globex.example',
          firstName: 'Tenant',
          lastName: 'administrator',
          roles: ['Tenant administrator'],
          organizationUnits: ['logistics'],
        },
      ],
      items: [{ id: 2001, displayName: 'Sites and output', report: 'operations', type: 'dashboard' }],
    },
  ],
};

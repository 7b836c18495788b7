/** Example bodies by operationId, for the tenant acme of the default seed. */
export const examples: Readonly<Record<string, unknown>> = {
  createUser: {
    type: 'DirectoryAD',
    email: 'new.analyst@acme.example',
    firstName: 'New',
    lastName: 'Analyst',
    roles: ['Viewer', 'Region North'],
    organizationUnits: [],
  },
  updateUser: { roles: ['Viewer', 'All regions'] },
  createRole: {
    name: 'Grinders',
    type: 'RLS',
    code: 'grinders',
    description: 'Rows of the product Grinders.',
  },
  createOrganizationUnit: { name: 'Field sales', parentId: 'root' },
  importItem: {
    type: 'report',
    workspaceId: '6f1d2c3b-4a5e-4f60-8b7c-9d0e1f2a3b4c',
    reportId: '0a1b2c3d-4e5f-4a6b-8c7d-8e9f0a1b2c3d',
    displayName: 'Margin by region',
    roles: ['Viewer'],
    additionalData: [{ type: 'semanticModel', id: '11111111-2222-4333-8444-555555555555', hasRls: true }],
  },
  createEncryptedKey: {
    value: { userId: 'north.manager@acme.example', reportId: 1042, roleNames: ['region-north'] },
    passPhrase: 'the passphrase of the tenant',
    tenancyName: 'acme',
  },
};

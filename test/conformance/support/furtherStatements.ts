/** The section with the table of fields of each list. */
export const fieldSections: Readonly<Record<string, string>> = {
  '/v1/users': '2.1',
  '/v1/roles': '2.2',
  '/v1/organization-units': '2.3',
  '/v1/items': '2.4',
};

/** What else a check covers besides the sentence that it quotes, by the beginning of its title. */
export const furtherStatements: Readonly<Record<string, readonly string[]>> = {
  '4.1 GET /v1/users returns': [
    '4: All administration endpoints are under {base_url}.',
    '4: Bodies are JSON.',
    '9: Administration endpoints and the audit log carry the path prefix /v1.',
  ],
  '4.3 GET /v1/organization-units returns': ['2.3: OUs form a hierarchy'],
  '4.4 GET /v1/items returns': [
    '2.4: each element has type (string), id (string, GUID) and hasRls (boolean)',
  ],
  '1 tenants are isolated in GET /v1/users': [
    'The service is a multi-tenant analytics portal that sits on top of a business-intelligence platform.',
  ],
  '4.1 GET /v1/users pages add up': [
    '| GET | /v1/users/{userId} | none | details of the user |',
    '2.1: A user is addressed by <userId> in paths.',
  ],
  '4.4 POST /v1/items': ['2.4: An item is a report, dashboard or app imported from the BI platform.'],
  '4.5 GET /v1/audit-logs': [
    '1: An audit log endpoint returns administrative events as a paginated list.',
    '2.6: A record describes one administrative event.',
    '| page | integer | Page number |',
    '| pageSize | integer | Results per page; default 50, maximum 200 |',
  ],
  '4.5 actionType': ['6.2: The audit log (4.5) holds administrative events filterable by actionType.'],
  '8 a page of the audit log': ['| pageSize default | 50 | GET /v1/audit-logs |'],
  '4.6 CreateEncryptedKey with another Authorization': ['Required headers:'],
  '4.6 CreateEncryptedKey is a POST': [
    'POST {api_base_url}/api/services/app/ItemLinks/CreateEncryptedKey.',
    'Behavior: the service verifies the API key and passphrase, obtains an embed token for the BI platform with the RLS context, and returns the encrypted key.',
    '5: | Encrypted key endpoint | Authorization header with scheme ApiKey and the key; Svc.TenantId header; passPhrase and tenancyName in the body; the key needs the permissions listed in 4.6 |',
    '9: The encrypted key endpoint has no version segment in its path.',
  ],
  '4.6 value.roleNames and value.expiration': [
    '2.2: RLS role codes are the values used in roleNames when creating an encrypted key',
    '8: | Recommended key lifetime | 30 to 60 minutes for external-facing applications (advice, not enforced) | encrypted key expiration |',
  ],
  '4.7 the address of tenant': [
    'The service decrypts the key and renders the report.',
    'The reference markup uses width 100%, height 800px, frameborder 0 and allowfullscreen true.',
    '5: The API key and the Tenant passphrase must only be used on a server and never in client-side code.',
    '4.6: Call it only from a backend server.',
  ],
  '6.1 a click on a bound visual': [
    'A Tenant Administrator configures an Action Task and binds it to a visual of a report.',
    'The receiver answers with a 2xx status to acknowledge.',
  ],
  '6.1 no delivery is sent again': [
    '7: A webhook receiver signals failure by any non-2xx status; the service does not retry.',
  ],
  '6.1 the Authorization header has the secret': [
    '5: | Outbound webhooks | An optional secret token configured on the Action Task is sent in the Authorization header of each webhook request; the receiver validates it |',
  ],
  '6.1 the metadata describes': ['2.4: a GUID-formatted string in the webhook metadata'],
  '6.1 every visual has its ID': [
    'The body has two parts: metadata and the visual data array.',
    'Visual data array: an array of objects.',
    '| visual | string | Visual ID |',
    '| data | array of object | Data context of the selection |',
    '| data[].identity | array of object | Row identity: equals (the selected value) and target (object with table and column, strings) |',
    '| data[].values | array of object | Measures: value (number), formattedValue (string), target (object with $schema, aggregationFunction, table, column, all strings) |',
  ],
};

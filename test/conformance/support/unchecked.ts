/** Sentences of interface.md that no request could show, each with the reason. */
export const unchecked: Readonly<Record<string, readonly string[]>> = {
  'describes the document': [
    'This document covers the whole service:',
    'It is the only document.',
    'Base addresses:',
    'The embedding endpoint is under {api_base_url}.',
  ],
  'introduces what later sections state': [
    'The administration interface lets a program manage users, roles, OUs and items, and list tasks and links.',
    'Typical uses are synchronizing users from an HR system and provisioning customers.',
    "The application's frontend then renders the report in an iframe on {tenant_url}.",
    'Action Tasks bind a report visual to a webhook.',
    'When a user interacts with the visual, the service sends an HTTP POST with metadata and the selected data to a configured URL.',
    'Request body:',
    'Rules:',
    'Delivery rules:',
  ],
  'would need a receiver that counts: a test of our portal does': [
    'The administration operations themselves emit no outbound events that are stated.',
  ],
  'says what the text leaves open': ['not shown'],
  'describes resources whose fields are not shown': [
    'A task is an automated action configured in the Tenant; its kind is a webhook or a DAX query.',
    'A link is an active Report Key or Slideshow link.',
  ],
  'advises the application': [
    "Webhook endpoints should use HTTPS only and may allowlist the service's IP addresses.",
  ],
};

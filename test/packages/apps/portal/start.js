import { createPortal } from '@vitrine/portal';

const { tenants } = await createPortal();
process.stdout.write(`${JSON.stringify(tenants[0])}\n`);

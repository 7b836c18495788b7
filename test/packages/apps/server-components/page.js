import { EmbeddedReport, embedKeyOptions } from '@vitrine/react';

const { queryKey } = embedKeyOptions(1042);
process.stdout.write(JSON.stringify({ queryKey, component: EmbeddedReport.reference }));

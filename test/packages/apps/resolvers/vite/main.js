import { EmbeddedReport } from '@vitrine/react';
import '@vitrine/react/styles.css';

globalThis.report = EmbeddedReport;

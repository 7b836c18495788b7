'use client';
export { ReportPicker } from './ReportPicker.tsx';
export { useReports } from './useReports.ts';

export type { EmbedItem } from '@vitrine/contract';
export type { ReportPickerProps } from './ReportPicker.tsx';
export type { ReportsResult } from './useReports.ts';

import { element } from '../../ui/element.ts';

/** The request of an export, and the file name. */
export interface ExportTarget {
  readonly exportUrl: string;
  readonly key: string;
  readonly fileName: string;
}

const save = (rows: Blob, fileName: string) => {
  const url = URL.createObjectURL(rows);
  element('a', { attributes: { href: url, download: fileName } }).click();
  URL.revokeObjectURL(url);
};

/** A button that saves the rows of the report as a file, which the portal creates and records in the audit log. */
export const exportButton = ({ exportUrl, key, fileName }: ExportTarget): HTMLElement => {
  const status = element('span', { class: 'export-status', attributes: { role: 'status' } });
  const exportRows = async (): Promise<string> => {
    const answer = await fetch(exportUrl, {
      method: 'POST',
      headers: { authorization: `ReportKey ${key}` },
      cache: 'no-store',
    });
    if (!answer.ok) return 'Not exported: the key for this report has expired.';
    save(await answer.blob(), fileName);
    return '';
  };
  const button = element('button', {
    class: 'export',
    text: 'Export CSV',
    attributes: { type: 'button', title: 'Saves the rows that you can see as a file.' },
    onClick: () => {
      button.disabled = true;
      void exportRows()
        .catch(() => 'Not exported: the portal is not responding.')
        .then((text) => {
          status.textContent = text;
          button.disabled = false;
          return undefined;
        });
    },
  });
  return element('div', { class: 'exporting', children: [status, button] });
};

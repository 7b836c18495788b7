import { EmbeddedReport } from '@vitrine/react';
import { ReportPicker } from '@vitrine/react/picker';
import { useState } from 'react';

export const ReportList = () => {
  const [itemId, setItemId] = useState<number>();
  return (
    <>
      <ReportPicker itemId={itemId} onSelect={(report) => setItemId(report.itemId)} />
      {itemId && <EmbeddedReport itemId={itemId} />}
    </>
  );
};

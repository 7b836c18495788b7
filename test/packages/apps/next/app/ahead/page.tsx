'use client';
import { useQueryClient } from '@tanstack/react-query';
import { EmbeddedReport, embedKeyOptions } from '@vitrine/react';
import { useState } from 'react';

/** A client component imports the same package: it prefetches the key on hover, and shows the report on click. */
export default function AheadPage() {
  const queryClient = useQueryClient();
  const [isOpen, setOpen] = useState(false);
  const prefetch = () => void queryClient.prefetchQuery(embedKeyOptions(1042));
  return isOpen ? (
    <EmbeddedReport itemId={1042} title="Sales by region" />
  ) : (
    <button type="button" onMouseEnter={prefetch} onClick={() => setOpen(true)}>
      Open
    </button>
  );
}

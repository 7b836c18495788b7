import { PowerBIEmbed } from 'powerbi-client-react';
import { useEffect, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { definePage, fetchKey, root, tenantUrl } from './page.js';

/** As in Power BI's own sample: the component is rendered when the token has arrived. */
const Report = () => {
  const [token, setToken] = useState();
  useEffect(() => {
    void fetchKey().then(({ key }) => setToken(key));
  }, []);
  if (token === undefined) return null;
  const embedConfig = {
    type: 'report',
    id: '0c1f8a4e-4b4e-4f0e-9a63-0d7c8c6f2b11',
    embedUrl: `${tenantUrl}/reportEmbed`,
    accessToken: token,
    tokenType: 1,
  };
  return <PowerBIEmbed embedConfig={embedConfig} cssClassName="report" />;
};

definePage({ mount: () => createRoot(root()).render(<Report />) });

import { PowerBIEmbed } from 'powerbi-client-react';
import { useEffect, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { definePage, fetchKey, root, tenantUrl } from './page.js';

/** Power BI's bootstrap: the frame starts before the token arrives. */
const Report = () => {
  const [accessToken, setToken] = useState();
  useEffect(() => {
    void fetchKey().then(({ key }) => setToken(key));
  }, []);
  const embedConfig = {
    type: 'report',
    id: 'report',
    embedUrl: `${tenantUrl}/reportEmbed`,
    accessToken,
    tokenType: 1,
  };
  return <PowerBIEmbed embedConfig={embedConfig} cssClassName="report" />;
};

definePage({ mount: () => createRoot(root()).render(<Report />) });

import { EmbeddedReport } from '@vitrine/react';
import { createFakeEmbed } from '@vitrine/react/testing';
import '@vitrine/react/styles.css';

export const fake = createFakeEmbed();
export const Page = () => <EmbeddedReport itemId={1042} title="Sales by region" />;

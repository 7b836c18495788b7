import express from 'express';
import { embed } from './vitrine.ts';

const app = express();
app.use('/api/embed', embed);
// The page, once `npm run build` has made it. During development, Vite serves it.
app.use(express.static('dist'));
app.listen(process.env.PORT ?? 3000);

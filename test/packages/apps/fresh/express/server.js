const express = require('express');
const app = express();

app.get('/', (request, response) => {
  response.send('Hello World!');
});

const server = app.listen(0, () => {
  process.stdout.write(`Example app listening on http://localhost:${server.address().port}\n`);
});

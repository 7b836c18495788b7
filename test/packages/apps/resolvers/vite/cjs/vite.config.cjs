const { vitrine } = require('@vitrine/vite');

module.exports = { plugins: [vitrine()] };

const { exec } = require("child_process");

module.exports = function handle(req, res) {
  exec("convert " + req.query.file, (err) => res.send(err ? "no" : "yes"));
};

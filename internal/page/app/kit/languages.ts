/** What the highlighter knows of languages: how comments and strings begin and end, and which words are keywords. */
import { aliases, extensions } from "./tables";

/** A language as the highlighter sees it. */
export interface Language {
  /** What begins a comment to the end of the line. */
  line: readonly string[];
  /** What begins and ends a comment over lines. */
  block: readonly (readonly [string, string])[];
  /** Quotes of strings on one line. */
  quotes: string;
  /** Quotes of strings over lines. */
  long: readonly string[];
  keywords: ReadonlySet<string>;
  /** Keywords are written in any case. */
  anyCase: boolean;
  /** A comment begins only after a blank: $# is none in a shell. */
  blankBefore: boolean;
}

interface Spec {
  names: string;
  line?: string;
  block?: [string, string][];
  quotes?: string;
  long?: string[];
  words?: string;
  anyCase?: boolean;
  blankBefore?: boolean;
}

const c: [string, string][] = [["/*", "*/"]];
const flow = "if else for while do switch case default break continue return";
const curly =
  flow + " try catch finally throw new class interface enum extends implements import package public private protected static final" +
  " abstract void this super null true false instanceof";
const cWords =
  flow + " goto struct union enum typedef const static extern inline volatile register sizeof void char short int long float double" +
  " signed unsigned bool true false NULL";

const specs: Spec[] = [
  { names: "python starlark meson", line: "#", quotes: "\"'", long: ['"""', "'''"], words: "and as assert async await break case class continue def del elif else except False finally for from global if import in is lambda match None nonlocal not or pass raise return True try while with yield self" },
  { names: "javascript typescript tsx vue svelte astro coffeescript dart", line: "//", block: [...c, ["<!--", "-->"]], quotes: "\"'", long: ["`"], words: curly + " function var let const of in async await yield delete typeof export from as type namespace declare readonly keyof infer is never any unknown number string boolean object undefined get set debugger with late required" },
  { names: "go gomod", line: "//", block: c, quotes: "\"'", long: ["`"], words: "break case chan const continue default defer else fallthrough for func go goto if import interface map package range return select struct switch type var nil true false iota any error string int int64 bool byte rune float64 module require replace" },
  { names: "java groovy kotlin scala csharp swift solidity", line: "//", block: c, quotes: "\"'", long: ['"""'], words: curly + " boolean byte short int long float double char String var val fun def object trait override sealed record data when is as in out internal open lateinit companion suspend using namespace struct string bool decimal async await yield get set ref readonly event delegate func let guard protocol extension init self nil defer where mut contract function mapping address uint256 modifier emit" },
  { names: "c cpp objective-c", line: "//", block: c, quotes: "\"'", words: cWords + " class public private protected virtual override final template typename namespace using new delete this nullptr auto constexpr friend operator try catch throw noexcept explicit mutable include define ifdef ifndef endif pragma undef elif id nil self" },
  { names: "rust zig", line: "//", block: c, quotes: '"', words: "as async await break const continue crate dyn else enum extern false fn for if impl in let loop match mod move mut pub ref return self Self static struct super trait true type unsafe use where while bool char str String u8 u16 u32 u64 usize i8 i16 i32 i64 isize f32 f64 Option Result Some None Ok Err defer errdefer comptime try catch orelse var void undefined null" },
  { names: "php", line: "// #", block: c, quotes: "\"'", words: curly + " function echo print var use namespace trait as foreach elseif endif endforeach require require_once include include_once global isset unset array list fn match readonly const self parent string int bool float mixed" },
  { names: "ruby elixir crystal", line: "#", quotes: "\"'", long: ['"""'], words: "def end if elsif else unless case when while until for in do begin rescue ensure raise return yield next break class module self nil true false and or not require require_relative include extend attr_reader attr_accessor puts lambda proc defmodule defp fn cond with use alias import" },
  { names: "shell make dockerfile just", line: "#", quotes: "\"'", blankBefore: true, words: "if then else elif fi for while until do done case esac in function return local export readonly declare set unset exit trap source eval exec shift break continue FROM RUN CMD COPY ADD ENV ARG ENTRYPOINT WORKDIR EXPOSE USER VOLUME LABEL ifeq ifneq ifdef ifndef endif include define endef" },
  { names: "powershell", line: "#", block: [["<#", "#>"]], quotes: "\"'", anyCase: true, words: "function param if else elseif foreach for while do switch return try catch finally throw begin process end in" },
  { names: "sql", line: "--", block: c, quotes: "'\"", anyCase: true, words: "select from where insert into values update set delete create table alter drop index view join left right inner outer full on group by order having limit offset union all distinct as and or not null is in like between exists case when then else end primary key foreign references default unique constraint begin commit rollback grant with returning if" },
  { names: "lua", line: "--", block: [["--[[", "]]"]], quotes: "\"'", words: "and break do else elseif end false for function goto if in local nil not or repeat return then true until while" },
  { names: "haskell", line: "--", block: [["{-", "-}"]], quotes: '"', words: "case class data deriving do else if import in infix infixl infixr instance let module newtype of then type where qualified as hiding" },
  { names: "ocaml fsharp", line: "", block: [["(*", "*)"]], quotes: '"', words: "let in match with fun function if then else begin end module struct sig open type of rec and val mutable ref try raise when while do done for to true false exception" },
  { names: "erlang", line: "%", quotes: '"', words: "case of end if when fun receive after try catch module export import" },
  { names: "clojure elisp", line: ";", quotes: '"', words: "def defn defmacro defun let if cond when fn lambda do loop recur ns require use import setq nil true false" },
  { names: "perl r julia nim tcl awk cmake", line: "#", quotes: "\"'", words: "my our local sub use package if elsif elseif else unless while until for foreach return last next die function end begin do in repeat break NULL TRUE FALSE NA library struct module import using const let mutable try catch finally proc var type set endif endfunction macro print getline true false nothing" },
  { names: "html xml erb handlebars jinja template ejs twig pug", line: "", block: [["<!--", "-->"], ["{{!", "}}"], ["{#", "#}"], ["<%#", "%>"]], quotes: "\"" },
  { names: "css scss sass less", line: "", block: c, quotes: "\"'", words: "import media supports keyframes font-face important mixin include extend use if else for each function return" },
  { names: "json", line: "//", block: c, quotes: '"', words: "true false null" },
  { names: "yaml toml ini hcl nix graphql", line: "#", quotes: "\"'", long: ['"""'], blankBefore: true, words: "true false null yes no on off resource variable output module provider data locals type input enum interface query mutation fragment let in with rec inherit" },
  { names: "protobuf thrift", line: "//", block: c, quotes: "\"'", words: "syntax package import option message enum service rpc returns repeated optional required oneof map reserved string bytes bool int32 int64 uint32 uint64 double float struct exception true false" },
  { names: "assembly wat", line: ";", quotes: '"' },
];

const byName = new Map<string, Language>();
for (const s of specs) {
  const words = (s.words ?? "").split(" ").filter((w) => w !== "");
  const language: Language = {
    line: (s.line ?? "").split(" ").filter((w) => w !== ""),
    block: s.block ?? [],
    quotes: s.quotes ?? "",
    long: s.long ?? [],
    keywords: new Set(s.anyCase ? words.map((w) => w.toLowerCase()) : words),
    anyCase: s.anyCase ?? false,
    blankBefore: s.blankBefore ?? false,
  };
  for (const name of s.names.split(" ")) byName.set(name, language);
}
const fences: { readonly [word: string]: string } = { python3: "python", repl: "python", console: "shell" };

/** The language of a name: one of package language's, an extension, or what a fence in Markdown says; undefined when it is not known. */
export function languageOf(name: string): Language | undefined {
  const lower = name.toLowerCase();
  return byName.get(own(extensions, lower) ?? own(aliases, lower) ?? own(fences, lower) ?? lower);
}

/** The name of the language of a file, by its extension; "" when it is not known. */
export function languageOfPath(path: string): string {
  return own(extensions, /\.([^./]+)$/.exec(path.toLowerCase())?.[1] ?? "") ?? "";
}

function own(table: { readonly [key: string]: string }, key: string): string | undefined {
  return Object.hasOwn(table, key) ? table[key] : undefined;
}

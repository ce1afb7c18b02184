import type { LanguageInput } from "shiki/core";

type Load = () => Promise<{ default: LanguageInput }>;

interface Language {
  /** What people read above the code. */
  label: string;
  names: string[];
  /** Of a file's name, where it is not the first of `names`. */
  ending?: string;
  load: Load;
}

/** One import a language, so that only what a conversation shows is fetched. */
const LANGUAGES: Language[] = [
  {
    label: "Bash",
    names: ["bash", "sh", "shell", "zsh", "console"],
    ending: "sh",
    load: () => import("shiki/langs/bash.mjs"),
  },
  { label: "C", names: ["c", "h"], load: () => import("shiki/langs/c.mjs") },
  { label: "C++", names: ["cpp", "c++", "cc", "hpp"], load: () => import("shiki/langs/cpp.mjs") },
  {
    label: "C#",
    names: ["csharp", "cs", "c#"],
    ending: "cs",
    load: () => import("shiki/langs/csharp.mjs"),
  },
  { label: "CSS", names: ["css"], load: () => import("shiki/langs/css.mjs") },
  { label: "Dart", names: ["dart"], load: () => import("shiki/langs/dart.mjs") },
  { label: "Diff", names: ["diff", "patch"], load: () => import("shiki/langs/diff.mjs") },
  {
    label: "Dockerfile",
    names: ["dockerfile", "docker"],
    load: () => import("shiki/langs/docker.mjs"),
  },
  {
    label: "Elixir",
    names: ["elixir", "ex", "exs"],
    ending: "ex",
    load: () => import("shiki/langs/elixir.mjs"),
  },
  { label: "Go", names: ["go", "golang"], load: () => import("shiki/langs/go.mjs") },
  { label: "GraphQL", names: ["graphql", "gql"], load: () => import("shiki/langs/graphql.mjs") },
  {
    label: "Haskell",
    names: ["haskell", "hs"],
    ending: "hs",
    load: () => import("shiki/langs/haskell.mjs"),
  },
  { label: "HTML", names: ["html", "htm"], load: () => import("shiki/langs/html.mjs") },
  { label: "INI", names: ["ini", "properties"], load: () => import("shiki/langs/ini.mjs") },
  { label: "Java", names: ["java"], load: () => import("shiki/langs/java.mjs") },
  {
    label: "JavaScript",
    names: ["javascript", "js", "mjs", "cjs"],
    ending: "js",
    load: () => import("shiki/langs/javascript.mjs"),
  },
  { label: "JSON", names: ["json", "jsonc", "json5"], load: () => import("shiki/langs/jsonc.mjs") },
  { label: "JSX", names: ["jsx"], load: () => import("shiki/langs/jsx.mjs") },
  {
    label: "Kotlin",
    names: ["kotlin", "kt"],
    ending: "kt",
    load: () => import("shiki/langs/kotlin.mjs"),
  },
  {
    label: "LaTeX",
    names: ["latex", "tex"],
    ending: "tex",
    load: () => import("shiki/langs/latex.mjs"),
  },
  { label: "Lua", names: ["lua"], load: () => import("shiki/langs/lua.mjs") },
  {
    label: "Makefile",
    names: ["makefile", "make"],
    ending: "mk",
    load: () => import("shiki/langs/make.mjs"),
  },
  {
    label: "Markdown",
    names: ["markdown", "md"],
    ending: "md",
    load: () => import("shiki/langs/markdown.mjs"),
  },
  { label: "PHP", names: ["php"], load: () => import("shiki/langs/php.mjs") },
  {
    label: "PowerShell",
    names: ["powershell", "ps1"],
    ending: "ps1",
    load: () => import("shiki/langs/powershell.mjs"),
  },
  {
    label: "Python",
    names: ["python", "py"],
    ending: "py",
    load: () => import("shiki/langs/python.mjs"),
  },
  { label: "R", names: ["r"], load: () => import("shiki/langs/r.mjs") },
  {
    label: "Ruby",
    names: ["ruby", "rb"],
    ending: "rb",
    load: () => import("shiki/langs/ruby.mjs"),
  },
  {
    label: "Rust",
    names: ["rust", "rs"],
    ending: "rs",
    load: () => import("shiki/langs/rust.mjs"),
  },
  { label: "Scala", names: ["scala"], load: () => import("shiki/langs/scala.mjs") },
  { label: "SCSS", names: ["scss", "sass"], load: () => import("shiki/langs/scss.mjs") },
  {
    label: "SQL",
    names: ["sql", "postgresql", "mysql", "sqlite"],
    load: () => import("shiki/langs/sql.mjs"),
  },
  { label: "Swift", names: ["swift"], load: () => import("shiki/langs/swift.mjs") },
  { label: "TOML", names: ["toml"], load: () => import("shiki/langs/toml.mjs") },
  { label: "TSX", names: ["tsx"], load: () => import("shiki/langs/tsx.mjs") },
  {
    label: "TypeScript",
    names: ["typescript", "ts", "mts", "cts"],
    ending: "ts",
    load: () => import("shiki/langs/typescript.mjs"),
  },
  { label: "Vue", names: ["vue"], load: () => import("shiki/langs/vue.mjs") },
  { label: "XML", names: ["xml", "svg"], load: () => import("shiki/langs/xml.mjs") },
  {
    label: "YAML",
    names: ["yaml", "yml"],
    ending: "yml",
    load: () => import("shiki/langs/yaml.mjs"),
  },
  { label: "Zig", names: ["zig"], load: () => import("shiki/langs/zig.mjs") },
];

const BY_NAME = new Map<string, Language>();
for (const language of LANGUAGES) {
  for (const name of language.names) BY_NAME.set(name, language);
}

/** What stands above a code block: the language's proper name, or what the model wrote. */
export function languageLabel(name: string | undefined): string {
  if (!name) return "Text";
  return BY_NAME.get(name.toLowerCase())?.label ?? name.slice(0, 24);
}

/** Loads a language's grammar; undefined when there is none for this name. */
export function languageLoader(name: string | undefined): Load | undefined {
  return name ? BY_NAME.get(name.toLowerCase())?.load : undefined;
}

/** The ending of a file that holds code of this language. */
export function fileEnding(name: string | undefined): string {
  const language = name ? BY_NAME.get(name.toLowerCase()) : undefined;
  return language?.ending ?? language?.names[0] ?? "txt";
}

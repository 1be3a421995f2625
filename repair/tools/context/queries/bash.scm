(function_definition name: (word) @name) @definition.function

(command_name (word) @reference)
(variable_name) @reference

(word) @module
(string) @module
(raw_string) @module

(function_declaration name: (identifier) @name) @definition.function
(method_declaration
  receiver: (parameter_list (parameter_declaration
    type: [(type_identifier) @parent (pointer_type (type_identifier) @parent)]))
  name: (field_identifier) @name) @definition.method
(method_declaration
  receiver: (parameter_list (parameter_declaration
    type: [(generic_type type: (type_identifier) @parent) (pointer_type (generic_type type: (type_identifier) @parent))]))
  name: (field_identifier) @name) @definition.method
(type_declaration (type_spec name: (type_identifier) @name)) @definition.type
(source_file (const_declaration (const_spec name: (identifier) @name)) @definition.constant)
(source_file (var_declaration (var_spec name: (identifier) @name)) @definition.constant)

(identifier) @reference
(field_identifier) @reference
(type_identifier) @reference

(import_spec path: (interpreted_string_literal) @module) @import

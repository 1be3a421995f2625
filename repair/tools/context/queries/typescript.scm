(interface_declaration name: (type_identifier) @name) @definition.interface
(type_alias_declaration name: (type_identifier) @name) @definition.type
(enum_declaration name: (identifier) @name) @definition.enum
(abstract_class_declaration name: (type_identifier) @name) @definition.class
(function_signature name: (identifier) @name) @definition.function
(internal_module name: (identifier) @name) @definition.namespace

(type_identifier) @reference
